import { counted } from './counted.ts';

/** Agents of an agency whose flow differs from its template, and the first of them by name. */
export type DriftFacts = {
  kind: 'drift';
  agents: number;
  first: { name: string; client: string | null; state: keyof typeof FOUND }[];
};

/** The words of the Automation page. A flow that differed and could not be looked at since stays in the list. */
const FOUND = { missing: 'gone from the engine', changed: 'changed in the engine', unchecked: 'could not be checked' } as const;

/** Returns the texts of an item: "2 agents of Oak Agency differ in the engine", "Lead qualifier for Oak Dental: gone from the engine; 3 more agents." */
export function describeDrift(agency: string, { agents, first }: DriftFacts): { title: string; detail: string } {
  const named = first.map(({ name, client, state }) => `${name}${client === null ? '' : ` for ${client}`}: ${FOUND[state]}`);
  const more = agents - first.length;
  return {
    title: `${counted(agents, 'agent')} of ${agency} ${agents === 1 ? 'differs' : 'differ'} in the engine`,
    detail: [...named, ...(more > 0 ? [counted(more, 'more agent')] : [])].join('\n'),
  };
}
