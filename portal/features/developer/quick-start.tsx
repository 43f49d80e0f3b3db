import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { waitAfterMs } from '@partner-portal/core/webhook/delivery.ts';
import { Link } from '@tanstack/react-router';
import { usePreference } from '../../ui/hooks/use-preference.ts';
import { useUser } from '../../app/session.ts';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { joinWords } from '../../ui/text/format.ts';
import { firstCallSnippet, sessionSnippet, type Way, LANGUAGE_LABELS, LANGUAGES } from './snippets.ts';
import '../../ui/forms/field.css';

/** Seconds between the attempts of a delivery. */
const WAITS = Array.from({ length: LIMITS.deliveryAttemptsMax - 1 }, (_, at) => String(waitAfterMs(at + 1) / 1000));

/** Quick start from the first call to a client that renews its session. */
export function QuickStart() {
  const { email, mfaEnabled, authMethod } = useUser();
  const [way, setWay] = usePreference<Way>('developer-way', 'curl');
  const first = firstCallSnippet(way, location.origin, email);
  const session = sessionSnippet(way, location.origin, email);
  return (
    <div className="max-w-page">
      <div className="mb-4">
        <Segmented
          label="Language"
          value={way}
          onChange={setWay}
          options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_LABELS[value] }))}
        />
      </div>
      <Section title="1. Log in and call">
        <p className="mb-2 max-w-prose text-ink-2">
          The API has no keys of its own: each call sends a user’s session as <code>Authorization: Bearer</code> and has that user’s
          permissions. Put the password in <code>PORTAL_PASSWORD</code>.
        </p>
        <CodeBlock {...first} />
        {authMethod === 'saml' || authMethod === 'oidc' ? (
          <p className="field-hint">
            While your agency enforces single sign-on, the API refuses the password of every team member: login returns 403{' '}
            <code>sso_required</code>.
          </p>
        ) : null}
        <p className="field-hint">
          {mfaEnabled
            ? 'Your account uses two-step login, so login returns mfaRequired and a tempToken: complete it at POST /auth/mfa/verify with a code. For an integration, invite a separate team member.'
            : 'For an integration, invite a separate team member, so that the audit log shows its calls apart from yours. A moderator can read everything and change nothing.'}
        </p>
      </Section>
      <Section title="2. When the session ends">
        <p className="mb-2 max-w-prose text-ink-2">
          Login returns the time in <code>expiresAt</code>. After that, or when the account is logged out, calls return 401: log in again,
          once. Each user has {LIMITS.callerRequestsPerMinute} calls per 60 seconds unless <code>RateLimit-Limit</code> says otherwise;
          above that, calls return 429 with <code>Retry-After</code> in seconds.
        </p>
        <CodeBlock {...session} />
      </Section>
      <Section title="3. When a call fails">
        <p className="max-w-prose text-ink-2">
          Every error is JSON with a stable <code>code</code>, a readable <code>detail</code>, and a <code>requestId</code> to quote when
          you contact us. Invalid fields are listed in <code>errors</code>. Each code is documented under <code>/problems/</code>.
        </p>
      </Section>
      <Section title="4. Receive events instead of polling">
        <p className="max-w-prose text-ink-2">
          Add an endpoint under{' '}
          <Link to="/dashboard/settings/webhooks" className="link">
            Settings, Webhooks
          </Link>
          . Answer with 200 as soon as an event is stored. One that is not taken is sent up to {LIMITS.deliveryAttemptsMax} times,{' '}
          {joinWords(WAITS)} seconds apart; an event may arrive twice and keeps its <code>id</code>, so act on each ID once.
        </p>
      </Section>
    </div>
  );
}
