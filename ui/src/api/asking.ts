import { getJson } from './client';

/** The question of `mindviz ask` that gives what a link shows, quoted for a shell. */
export async function fetchQuestion(link: string): Promise<string> {
  const { question } = await getJson<{ question: string }>('ask/question', { link });
  return question;
}
