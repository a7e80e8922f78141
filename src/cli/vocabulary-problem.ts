/** Why a vocabulary file cannot be used; undefined where it can, and where no path is given. */
export async function vocabularyProblem(path: string | undefined): Promise<string | undefined> {
  if (!path) return undefined;
  const { openVocabularyFile } = await import('../profiles/vocabulary-file.ts');
  const words = await openVocabularyFile(path);
  return words.ok ? undefined : words.text;
}
