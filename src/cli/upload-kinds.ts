/** What the work on uploads is called: by screens that ask for it, and by those who do it. */
export const uploadKinds = { upload: 'upload', abandon: 'abandon-upload' } as const;
