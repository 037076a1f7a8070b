// Builds the explorer into the Python package, and keeps with it the digest of the sources it was built from.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { defineConfig } from "vite";

const here = import.meta.dirname;
const out = join(here, "../src/knowwhy/surfaces/web/static");

function sources(folder = here) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.name !== "node_modules" && !one.name.startsWith("."))
    .flatMap((one) => (one.isDirectory() ? sources(join(folder, one.name)) : [join(folder, one.name)]));
}

function digest() {
  const hash = createHash("sha256");
  const named = sources().map((file) => [relative(here, file).split(sep).join("/"), file]);
  named.sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, file] of named) hash.update(name).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

export default defineConfig({
  base: "./",
  build: {
    outDir: out,
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    target: "es2022",
    rollupOptions: {
      output: {
        entryFileNames: "explorer.js",
        chunkFileNames: "[name].js",
        assetFileNames: "explorer[extname]",
      },
    },
  },
  plugins: [{ name: "digest", closeBundle: () => writeFileSync(join(out, "sources.sha256"), `${digest()}\n`) }],
});
