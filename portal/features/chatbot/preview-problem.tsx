import { Link } from '@tanstack/react-router';
import { codeOf } from '../../app/errors.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { PROVIDERS } from '../../shared/labels.ts';
import { modelOf } from './draft.ts';

type Props = { error: unknown; clientId: string; model: string; onRetry: () => void };

/** The reason why there is no answer, with the page on which to fix it. */
export function PreviewProblem({ error, clientId, model, onRetry }: Props) {
  const { provider } = modelOf(model);
  const code = codeOf(error);
  return (
    <div className="grid gap-1.5">
      <ErrorBlock error={error} onRetry={onRetry} />
      {code === 'no_usable_key' || code === 'ai_key_refused' ? (
        <Link className="link w-fit" to="/dashboard/integrations" search={{ client: clientId, service: provider }}>
          Open the key for {PROVIDERS[provider].name}
        </Link>
      ) : null}
      {code === 'chat_budget_exceeded' ? (
        <Link className="link w-fit" to="/dashboard/usage" hash="chatbots">
          Open budgets
        </Link>
      ) : null}
      {code === 'quota_exceeded' ? (
        <Link className="link w-fit" to="/dashboard/billing">
          Buy credits
        </Link>
      ) : null}
    </div>
  );
}
