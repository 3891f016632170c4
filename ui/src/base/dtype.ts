/** `DT_FLOAT32` as `float32`. */
export const dtypeName = (type: string): string => type.replace(/^DT_/, '').toLowerCase();
