export const early = "not loaded by anybody";
