/** A `mindviz ask` command for a shell; without a question, the link is the question. */
export function askCommand(page: string, link: string, question: string | null): string {
  if (question === null) return `mindviz ask ${shellWord(link)}`;
  const url = new URL(page);
  url.hash = '';
  url.search = ''; // may hold a token
  return `mindviz ask ${shellWord(url.href)} ${question}`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'"'"'`)}'`;
}
