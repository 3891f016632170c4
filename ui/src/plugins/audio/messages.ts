export const en = {
  play: 'Play {tag}',
  pause: 'Pause {tag}',
  clip: 'clip',
  clipTitle: 'Which of several clips of a step',
  position: 'Position in {tag}',
  loop: 'repeat',
  rate: 'Speed',
  about: '{duration} · {rate} Hz · {channels}',
  mono: 'mono',
  stereo: 'stereo',
  channels: '{n} channels',
  undecodable: 'The browser cannot decode this clip. It can be downloaded.',
  noClip: 'Step {step} has no clip {clip}.',
  download: 'Download the clip',
  empty:
    'The selected runs have no audio. Select other runs, or log some: SummaryRecord.add_value("audio", tag, Audio(samples, rate)).',
};

export const zh: typeof en = {
  play: '播放 {tag}',
  pause: '暂停 {tag}',
  clip: '片段',
  clipTitle: '一步有多个片段时显示哪一个',
  position: '{tag} 的播放位置',
  loop: '循环',
  rate: '速度',
  about: '{duration} · {rate} 赫兹 · {channels}',
  mono: '单声道',
  stereo: '立体声',
  channels: '{n} 声道',
  undecodable: '浏览器无法解码此片段，但可以下载。',
  noClip: '第 {step} 步没有片段 {clip}。',
  download: '下载片段',
  empty:
    '所选作业没有音频。请选择其他作业，或用 SummaryRecord.add_value("audio", tag, Audio(samples, rate)) 记录。',
};
