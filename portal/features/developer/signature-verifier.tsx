import { Link } from '@tanstack/react-router';
import { Section } from '../../ui/layout/layout.tsx';
import { SignatureChecker } from '../../shared/signature-checker.tsx';
import { VerifySnippet } from '../../shared/verify-snippet.tsx';

/** Verifies a webhook signature that was pasted, and shows the code that does. */
export function SignatureVerifier() {
  return (
    <div className="grid items-start gap-x-10 gap-y-8 rail:grid-cols-2">
      <div className="grid max-w-form grid-cols-1 gap-4">
        <p className="text-ink-2">
          Paste what your endpoint received. The check runs in your browser; nothing is sent or stored. Each delivery in the log of an
          endpoint can be checked in <Link to="/dashboard/settings/webhooks">Webhooks</Link>, with body and header filled in.
        </p>
        <SignatureChecker />
      </div>
      <Section title="Verify signatures in your code">
        <VerifySnippet />
      </Section>
    </div>
  );
}
