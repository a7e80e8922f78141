/** A text as a part of a URL or of the name of a file. Half a character becomes U+FFFD: the bare function throws at it. */
export const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed());
