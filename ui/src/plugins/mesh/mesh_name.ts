/** `tetra_FACE` is a part of the mesh `tetra`. */
export const meshName = (tag: string): string => tag.replace(/_(VERTEX|FACE|COLOR)$/, '');
