import { sampleInput } from '@partner-portal/core/template/input.ts';
import type { TemplateBundle } from '@partner-portal/core/template/types.ts';
import { describeDefinition } from '@partner-portal/core/template/definition.ts';
import { toInputFields } from '#modules/3-product/catalog/index.ts';
import type { Actor } from '#platform/actor.ts';
import type { ProvisioningDeps } from '../deps.ts';
import { listAdoption } from './store-views.ts';

/** The catalog with the number of partners and agents on each version. */
export async function listTemplates(deps: Pick<ProvisioningDeps, 'db' | 'catalog' | 'clock'>, actor: Actor) {
  const rows = await deps.db.asStaff(actor, listAdoption);
  const byName = Map.groupBy(rows, (row) => row.templateName);
  return deps.catalog.map((bundle) => ({
    ...templateAnswer(bundle, deps.clock.now()),
    adoption: (byName.get(bundle.template.name) ?? []).map(({ templateVersion, partners, workflows }) => ({
      templateVersion,
      partners,
      workflows,
    })),
  }));
}

function templateAnswer({ template, sample }: TemplateBundle, now: Date) {
  return {
    ...template,
    inputs: toInputFields(template),
    config: template.config.map((setting) => ({
      ...setting,
      maxLength: setting.maxLength ?? null,
      min: setting.min ?? null,
      max: setting.max ?? null,
      help: setting.help,
      fromProfile: setting.fromProfile ?? null,
    })),
    steps: describeDefinition(template).steps,
    sampleInput: sampleInput(sample.input, now),
  };
}
