/** What a person wrote, as they wrote it. */
export function Quote({ text }: { text: string }) {
  return <blockquote className="mt-1.5 border-l-2 border-line pl-3 whitespace-pre-wrap text-ink-2">{text}</blockquote>;
}
