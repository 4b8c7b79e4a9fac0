export * from "./operators";
export * from "./windows";
export * from "./watermark";
export * from "./join";
