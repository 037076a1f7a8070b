import { defineConfig } from "vite";

// Names without digests, so that what is committed changes only where the sources do.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../src/knowwhy/surfaces/web/static",
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: "explorer.js",
        chunkFileNames: "[name].js",
        assetFileNames: "explorer[extname]",
      },
    },
  },
});
