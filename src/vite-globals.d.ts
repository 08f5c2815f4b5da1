/** Constants that vite.config.ts puts into the build. */
declare const __APP_VERSION__: string;
declare const __APP_COMMIT__: string;
declare const __TRANSFORMERS_VERSION__: string;
declare const __ORT_VERSION__: string;
