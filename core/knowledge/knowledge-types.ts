/** What a chatbot reads: how people call it, and the endings by which a file picker finds it. */
export const KNOWLEDGE_TYPES = {
  'application/pdf': { name: 'PDF', endings: ['.pdf'] },
  'text/plain': { name: 'text', endings: ['.txt'] },
  'text/markdown': { name: 'Markdown', endings: ['.md', '.markdown'] },
} as const;

export type KnowledgeType = keyof typeof KNOWLEDGE_TYPES;
