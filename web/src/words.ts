export type Language = "en" | "zh";

const WORDS = {
  ask: ["Ask", "提问"], graph: ["Graph", "图谱"], conflicts: ["Conflicts", "冲突"], sources: ["Sources", "来源"],
  calibration: ["Calibration", "校准"], log: ["Log", "日志"], dream: ["Dream", "整理"], slot: ["Slot", "属性"],
  question: ["What do you want to know?", "你想知道什么？"], search: ["Search", "搜索"], memory: ["Memory", "记忆库"],
  valid: ["true on", "当时为真"], known: ["known on", "当时已知"], now: ["now", "现在"], branch: ["branch", "分支"],
  nothing: ["Nothing is known.", "没有相关的记忆。"], confidence: ["confidence", "置信度"], grounds: ["Grounds", "依据"],
  against: ["Against", "反对"], warning: ["Warning", "警告"], since: ["since", "自"], until: ["until", "至"],
  why: ["Why", "为什么"], history: ["History", "历史"], would: ["What would change it", "什么会改变它"],
  overTime: ["Confidence over time", "置信度随时间"], mind: ["How the mind changed", "看法如何改变"], status: ["status", "状态"],
  value: ["value", "值"], source: ["source", "来源"], type: ["type", "类型"], authority: ["authority", "权威"],
  reliability: ["reliability", "可靠度"], items: ["items", "条数"], accepted: ["accepted", "采纳"], contested: ["contested", "争议"],
  overruled: ["overruled", "被否"], decide: ["Decide for this", "采用此项"], suggested: ["suggested", "建议"], settle: ["would settle it", "可定案"],
  noConflicts: ["No open conflicts.", "没有未决的冲突。"], undo: ["Undo", "撤销"], diff: ["What it changed", "改变了什么"],
  operation: ["operation", "操作"], reason: ["reason", "原因"], key: ["This service asks for a key.", "此服务需要密钥。"],
  enter: ["Enter", "进入"], expand: ["Click a node to expand it, drag to move it.", "点击节点展开，拖动以移动。"],
  noLabels: ["Nothing was judged yet. Say which beliefs are right: knowwhy feedback", "尚无判定。用 knowwhy feedback 标注对错"],
  supports: ["supports", "支持"], refutes: ["refutes", "反驳"], derived: ["derived from", "推导自"], about: ["about", "关于"],
  more: ["More", "更多"], act: ["may act on it", "可据此行动"], ask_human: ["ask a person first", "先问人"],
  need_evidence: ["needs more evidence", "需要更多证据"], blocked: ["blocked", "受阻"], subject: ["Subject", "主体"], show: ["Show", "显示"],
  sure: ["Really undo it?", "确定撤销？"], done: ["Done.", "完成。"], plan: ["Plan", "计划"], carryOut: ["Carry it out", "执行"],
  weight: ["weight", "权重"], superseded: ["superseded", "已被取代"], challenger: ["challenger", "挑战者"], rejected: ["rejected", "被否定"],
  retracted: ["retracted", "已撤回"], stale: ["stale", "过时"], planned: ["planned", "计划中"], doubtful: ["doubtful", "存疑"],
  hypothesis: ["hypothesis", "假设"], archived: ["archived", "已归档"], challenged: ["challenged", "受到挑战"],
  quarantined: ["set apart", "已隔离"], skip: ["Skip to content", "跳到正文"], nodes: ["As a list", "列表"],
} as const satisfies Record<string, readonly [string, string]>;

export type Word = keyof typeof WORDS;
export const isWord = (name: string): name is Word => name in WORDS;
let language: Language = "en";
export function speak(chosen: Language): void {
  language = chosen;
  document.documentElement.lang = chosen;
}
export const t = (word: Word): string => WORDS[word][language === "zh" ? 1 : 0];
