export * from "./types";
export * from "./event";
export * from "./store";
export * as clock from "./clock";
