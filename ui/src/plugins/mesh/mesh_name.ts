/** `tetra_FACE` is a part of the mesh `tetra`. */
export function meshName(tag: string): string {
  return tag.replace(/_(VERTEX|FACE|COLOR)$/, '');
}
