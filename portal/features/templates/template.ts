import type { Reply } from '../../app/api.ts';

export type Template = Reply<'listTemplates'>[number];
export type TemplateSearch = { q?: string | undefined; category?: string | undefined; template?: string | undefined };
