import { NAME_RULE_VERSION, resembledName } from '@partner-portal/core/people/protected-names.ts';
import type { JobContext } from '#platform/jobs/define-job.ts';
import type { NameReviewDeps } from './deps.ts';
import { openReviews } from './review-names.ts';
import { listNames, type NameToReview, readRuleVersion, writeRuleVersion } from './store.ts';

const PORTION = 200;

/**
 * Compares every saved name with the rule, once per version of it and a portion at a time: those saved before. Later ones are compared when they
 * are saved. A run that is cut off begins again.
 */
export async function lookAtNames({ db }: Pick<NameReviewDeps, 'db'>, { log, signal }: Pick<JobContext, 'log' | 'signal'>): Promise<void> {
  if ((await db.asSystem('sweep', readRuleVersion)) >= NAME_RULE_VERSION) return;
  let opened = 0;
  for (const kind of ['partner', 'client'] as const) {
    let after: string | null = null;
    do {
      if (signal.aborted) return;
      const afterId: string | null = after;
      after = await db.asSystem('sweep', async (tx) => {
        const names = await listNames(tx, kind, afterId, PORTION);
        for (const [partnerId, found] of byPartner(names)) opened += await openReviews(tx, partnerId, found, null);
        return names.length < PORTION ? null : (names.at(-1)?.id ?? null);
      });
    } while (after !== null);
  }
  await db.asSystem('sweep', (tx) => writeRuleVersion(tx, NAME_RULE_VERSION));
  if (opened > 0) log.info({ opened }, 'names to look at');
}

function byPartner(names: readonly { partnerId: string; clientId: string | null; name: string }[]): Map<string, NameToReview[]> {
  const found = new Map<string, NameToReview[]>();
  for (const { partnerId, clientId, name } of names) {
    const resembles = resembledName(name);
    if (resembles !== null) found.set(partnerId, [...(found.get(partnerId) ?? []), { clientId, name, resembles }]);
  }
  return found;
}
