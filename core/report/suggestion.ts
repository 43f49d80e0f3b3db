import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import type { Template } from '../template/types.ts';

type Offered = Pick<Template, 'name' | 'category' | 'isActive' | 'hoursSavedPerRun'>;

/**
 * Returns the template to suggest for next month, of those the client does not have: the one that needs the fewest services to be connected
 * first, since it can start at once; then one that works with the agents that helped most; then the one that saves most per run. The name
 * decides between equals, so that the same facts give the same suggestion. Null when the client has all.
 */
export function suggestTemplate<T extends Offered>(
  catalog: readonly T[],
  facts: {
    installed: ReadonlySet<string>;
    missingOf: (template: T) => readonly Provider[];
    /** Helpful runs of the month by template. */
    helped: ReadonlyMap<string, number>;
    perRun: ReadonlyMap<string, number>;
  },
): { template: T; missing: readonly Provider[] } | null {
  const helpedIn = new Map<string, number>();
  for (const { name, category } of catalog) helpedIn.set(category, (helpedIn.get(category) ?? 0) + (facts.helped.get(name) ?? 0));
  const ranked = catalog
    .filter((template) => template.isActive && !facts.installed.has(template.name))
    .map((template) => ({ template, missing: facts.missingOf(template) }))
    .toSorted(
      (a, b) =>
        a.missing.length - b.missing.length ||
        (helpedIn.get(b.template.category) ?? 0) - (helpedIn.get(a.template.category) ?? 0) ||
        (facts.perRun.get(b.template.name) ?? 0) - (facts.perRun.get(a.template.name) ?? 0) ||
        (a.template.name < b.template.name ? -1 : 1),
    );
  return ranked[0] ?? null;
}
