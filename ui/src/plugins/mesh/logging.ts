import type { Logging } from '@/cards/logging';

export const logging: Logging = {
  torch: 'writer.add_mesh(tag, vertices, colors, faces, global_step=step)',
  tensorflow: 'mesh_summary.mesh(tag, vertices, faces=faces, step=step)',
  mindspore: "SummaryRecord.add_value('mesh', tag, Mesh(vertices, colors, faces))",
};
