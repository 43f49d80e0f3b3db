// A mail that came as HTML alone, nearly as its reader sees it.
export function plainOf(text: string): string;
