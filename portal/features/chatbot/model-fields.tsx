import { AI_PROVIDERS } from '@partner-portal/contract/vocabulary.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AiModel, aiModelsQuery } from '../../queries/chatbot.ts';
import type { FormState } from '../../shared/forms/use-form.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { PROVIDERS } from '../../shared/labels.ts';
import { Field } from '../../ui/forms/field.tsx';
import { type Option, Select } from '../../ui/forms/select.tsx';
import { formatNumber } from '../../ui/text/format.ts';
import { type Draft, modelKey, modelOf } from './draft.ts';
import { FormSection } from './form-section.tsx';

type Props = { form: FormState<Draft>; isOff: boolean; clientId: string };

/** Provider and model in one choice, with whose key is used and what it costs. */
export function ModelFields({ form, isOff, clientId }: Props) {
  const models = useQuery(aiModelsQuery(clientId));
  const chosen = form.values.model;
  const current = models.data?.find((one) => modelKey(one) === chosen);
  const missing = models.data ? AI_PROVIDERS.filter((provider) => !models.data.some((one) => one.provider === provider)) : [];
  return (
    <FormSection title="Language model" lead="It writes the answers. A key of your own or the platform’s pays for them.">
      {models.error ? <ErrorBlock error={models.error} onRetry={() => void models.refetch()} /> : null}
      <Field
        label="Model"
        hint={models.data ? <Cost model={current} provider={modelOf(chosen).provider} /> : undefined}
        error={form.errors['model'] ?? form.errors['provider']}
      >
        {(ids) => (
          <Select
            {...ids}
            label="Model"
            disabled={isOff}
            value={chosen}
            onChange={(model) => form.set({ model })}
            options={optionsOf(models.data, chosen)}
          />
        )}
      </Field>
      {missing.length > 0 ? (
        <p className="text-xs text-ink-3">
          {missing.map((provider) => (
            <span key={provider} className="mr-3">
              No key for {PROVIDERS[provider].name}.{' '}
              <Link className="link" to="/dashboard/integrations" search={{ client: clientId, service: provider }}>
                Connect {PROVIDERS[provider].name}
              </Link>
            </span>
          ))}
        </p>
      ) : null}
    </FormSection>
  );
}

function Cost({ model, provider }: { model: AiModel | undefined; provider: 'openai' | 'anthropic' }) {
  const { name } = PROVIDERS[provider];
  if (!model)
    return (
      <>
        No key of {name} can be used for this model. Choose another model or connect {name}.
      </>
    );
  if (model.sourceMode === 'byok') return <>Your own {name} key is used, so answers cost no credits.</>;
  return (
    <>
      The platform’s {name} key is used: {credits(model.inputCredits)} per 1,000 tokens read and {credits(model.outputCredits)} per 1,000
      tokens written.
    </>
  );
}

function optionsOf(models: readonly AiModel[] | undefined, chosen: string): Option[] {
  const known = (models ?? []).map((one) => ({
    value: modelKey(one),
    label: `${PROVIDERS[one.provider].name} ${one.model}`,
    hint: one.sourceMode === 'byok' ? 'own key' : `${formatNumber(one.inputCredits)} and ${formatNumber(one.outputCredits)} credits`,
  }));
  if (known.some(({ value }) => value === chosen)) return known;
  const { provider, model } = modelOf(chosen);
  return [{ value: chosen, label: `${PROVIDERS[provider].name} ${model}`, ...(models ? { hint: 'no key' } : {}) }, ...known];
}

function credits(amount: number): string {
  return `${formatNumber(amount)} ${amount === 1 ? 'credit' : 'credits'}`;
}
