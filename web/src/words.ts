// The words of the page in English and Chinese. What a memory holds is shown as it is.

const EN = {
  ask: "Ask", conflicts: "Conflicts", sources: "Sources", calibration: "Calibration", log: "Operations", dream: "Dream",
  question: "Ask the memory in plain words", search: "Search", memory: "Memory", language: "中文", theme: "Theme",
  skip: "Skip to content", start: "Ask something, or open a conflict, a source or an operation.",
  nothing: "Nothing is believed about that.", results: "Answers", passages: "Passages", confidence: "Confidence",
  raw: "raw", status: "Status", since: "since", until: "until", grounds: "Grounds", rivals: "Rivals", warnings: "Warnings",
  change: "What would change it", graph: "Belief graph", slot: "Confidence over time", history: "How the mind changed",
  valid: "True at", known: "Known at", now: "now", reset: "Back to now", changes: "changes", weight: "Weight",
  source: "Source", type: "Type", stance: "Stance", date: "Date", words: "Words", supports: "supports",
  refutes: "refutes", ends: "ends", gives_up: "gives up", follows: "follows from", rival: "rival",
  evidence: "evidence", belief: "belief", not_counted: "not counted", value: "Value", because: "Because",
  none_open: "No open conflicts.", decide: "Decide for this", neither: "Neither is right", suggested: "Suggested",
  settle: "Would settle it", why_decide: "Reason (kept in the log)", reliability: "Reliability", learned: "learned",
  authority: "Authority", items: "Items", accepted: "accepted", contested: "contested", overruled: "overruled",
  quarantined: "in quarantine", said: "said", came: "came true", labels: "labels", calibration_none: "Nothing was judged yet.",
  brier: "Brier score", ece: "Calibration error", floor: "by chance alone", operation: "Operation", act: "Act", author: "Author", older: "Older",
  undo: "Undo", undo_sure: "Undo operation", yes: "Yes, undo it", cancel: "Cancel", diff: "What it changed", recorded: "Recorded",
  before: "Before", after: "After", no_changes: "No belief changed.", dream_none: "Nothing to do.", dream_apply: "Carry this plan out",
  step: "Step", what: "What", why: "Why", effect: "Effect", fate: "Fate", key: "This service asks for a key", key_help: "It is kept for this tab alone.",
  open: "Open", loading: "Loading…", hint: "Click or press Enter on a belief to expand it; drag to move; arrow keys walk.",
  challenger: "challenger", superseded: "superseded", rejected: "rejected", doubtful: "doubtful", stale: "stale", challenged: "challenged", unheard: "unheard",
  true_when: "What was true when", verdict_act: "May be acted on", verdict_ask: "Ask a person first", verdict_need: "More evidence needed", verdict_blocked: "Not to be acted on", details: "Details", today: "now", perfect: "perfectly calibrated", all: "All", decided: "Decided.", undone: "Undone.", done: "Done.",
};
const ZH: typeof EN = {
  ask: "提问", conflicts: "冲突", sources: "来源", calibration: "校准", log: "操作日志", dream: "整理",
  question: "用平常的话向记忆提问", search: "搜索", memory: "记忆库", language: "English", theme: "主题",
  skip: "跳到内容", start: "提出一个问题，或打开一个冲突、来源或操作。",
  nothing: "对此没有任何信念。", results: "回答", passages: "原文段落", confidence: "置信度",
  raw: "原始", status: "状态", since: "自", until: "至", grounds: "依据", rivals: "竞争值", warnings: "警告",
  change: "什么会改变它", graph: "信念图", slot: "置信度随时间变化", history: "认识如何改变",
  valid: "何时为真", known: "何时所知", now: "现在", reset: "回到现在", changes: "处变化", weight: "权重",
  source: "来源", type: "类型", stance: "立场", date: "日期", words: "原话", supports: "支持",
  refutes: "反驳", ends: "终止", gives_up: "放弃", follows: "推导自", rival: "竞争",
  evidence: "证据", belief: "信念", not_counted: "未计入", value: "值", because: "因为",
  none_open: "没有未决冲突。", decide: "裁定为此值", neither: "都不对", suggested: "建议",
  settle: "什么能解决它", why_decide: "理由（记入日志）", reliability: "可靠度", learned: "学得",
  authority: "权威", items: "条目", accepted: "已接受", contested: "有争议", overruled: "被推翻",
  quarantined: "已隔离", said: "所称", came: "成真", labels: "标注", calibration_none: "尚未有任何判断。",
  brier: "Brier 分数", ece: "校准误差", floor: "仅由偶然", operation: "操作", act: "动作", author: "作者", older: "更早",
  undo: "撤销", undo_sure: "撤销操作", yes: "是，撤销", cancel: "取消", diff: "它改变了什么", recorded: "已记录",
  before: "之前", after: "之后", no_changes: "没有信念改变。", dream_none: "无事可做。", dream_apply: "执行此计划",
  step: "步骤", what: "内容", why: "原因", effect: "效果", fate: "结果", key: "此服务需要密钥", key_help: "只为此标签页保存。",
  open: "打开", loading: "载入中…", hint: "点击信念或按回车可展开；拖动可移动；方向键可行走。",
  challenger: "挑战者", superseded: "已被取代", rejected: "已拒绝", doubtful: "存疑", stale: "陈旧", challenged: "受挑战", unheard: "未闻",
  true_when: "何时何值为真", verdict_act: "可据此行动", verdict_ask: "先问人", verdict_need: "需要更多证据", verdict_blocked: "不可据此行动", details: "详情", today: "现在", perfect: "完全校准", all: "全部", decided: "已裁定。", undone: "已撤销。", done: "完成。",
};

export type Word = keyof typeof EN;
export type Language = "en" | "zh";

function first(): Language {
  const kept = localStorage.getItem("knowwhy.language");
  if (kept === "en" || kept === "zh") return kept;
  return navigator.language.startsWith("zh") ? "zh" : "en";
}

let language = first();

/** The language in force. */
export const spoken = (): Language => language;

/** Speaks the other language from now on. */
export function turn(): void {
  language = language === "en" ? "zh" : "en";
  localStorage.setItem("knowwhy.language", language);
}

/** A word of the page. */
export function t(word: Word): string {
  return (language === "zh" ? ZH : EN)[word];
}

/** A word of the service, such as a status, as far as the page knows it; else as it is. */
export function told(word: string): string {
  return word in EN ? t(word as Word) : word;
}

/** A share as two digits behind the point. */
export const number = (value: number): string => value.toFixed(2);

/** The day of an instant. */
export const day = (instant: string | null): string => (instant === null ? t("now") : instant.slice(0, 10));
