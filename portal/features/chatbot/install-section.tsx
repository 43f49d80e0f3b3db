import { mayClientRunAgents } from '@partner-portal/core/agent/state.ts';
import { ExternalLink } from 'lucide-react';
import type { Chatbot } from '../../queries/chatbot.ts';
import type { Client } from '../../queries/clients.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import '../../ui/layout/panel.css';
import { CodeBlock } from '../../ui/text/code-block.tsx';

/** `formId`: the settings, whose first save makes the script tag. */
type Props = { chatbot: Chatbot; clientStatus: Client['status']; formId: string; isBusy: boolean; refusal: string | undefined };

/** The script tag, where it belongs, and a page to see the chatbot without a website. */
export function InstallSection({ chatbot, clientStatus, formId, isBusy, refusal }: Props) {
  const { id, snippet, isActive } = chatbot;
  return (
    <Section className="mb-6 max-w-form" title="Install" note="once, on the website">
      {snippet && id ? (
        <>
          <CodeBlock name="On every page, before </body>" code={snippet} />
          <p className="mt-3 max-w-prose text-ink-2">
            WordPress, Squarespace, Wix and Shopify have a field for it called custom code or footer scripts. It loads after the page and
            sets no cookies.
          </p>
          <p className="mt-3 flex flex-wrap items-center gap-3">
            <a className={buttonClass()} href={`/chat/${id}`} target="_blank" rel="noreferrer">
              <ExternalLink aria-hidden />
              Open the chat page
            </a>
            <span className="text-xs text-ink-3">
              {!mayClientRunAgents(clientStatus)
                ? `Visitors find no chatbot there while the client is ${clientStatus}.`
                : isActive
                  ? 'What visitors see, in a new tab. Messages there are real conversations.'
                  : 'Turn the chatbot on to see it there.'}
            </span>
          </p>
        </>
      ) : (
        <div className="panel flex flex-wrap items-center gap-x-4 gap-y-2.5 p-4">
          <p className="min-w-0 flex-1 basis-65 text-ink-2">
            The script tag appears here once the settings are saved. You can change everything later; the tag stays the same.
          </p>
          <Button type="submit" form={formId} disabledReason={refusal} busy={isBusy && 'Saving'}>
            Save and show the tag
          </Button>
        </div>
      )}
    </Section>
  );
}
