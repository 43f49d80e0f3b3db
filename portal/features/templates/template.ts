import type { Reply } from '../../app/api.ts';
import { oneOf, type SearchOf, searchParser, textParam } from '../../app/search-params.ts';

export type Template = Reply<'listTemplates'>[number];

/** The orders of the list, as its address names them. */
export const templateOrder = oneOf(['title', '-title', 'credits', '-credits', 'agents', '-agents']);

export const parseTemplateSearch = searchParser({
  q: textParam,
  category: textParam,
  template: textParam,
  sort: templateOrder,
});
export type TemplateSearch = SearchOf<typeof parseTemplateSearch>;
