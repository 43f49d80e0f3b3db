import { ExternalLink } from 'lucide-react';
import type { Chatbot } from '../../queries/chatbot.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { CodeBlock } from '../../ui/text/code-block.tsx';

/** The script tag, where it belongs, and a page to see the chatbot without a website. */
export function InstallSection({ chatbot }: { chatbot: Chatbot }) {
  const { id, snippet, isActive } = chatbot;
  return (
    <Section className="mt-8 max-w-[620px]" title="Install" note="once, on the website">
      {snippet && id ? (
        <>
          <CodeBlock name="On every page, before </body>" code={snippet} />
          <p className="mt-3 max-w-[65ch] text-ink-2">
            WordPress, Squarespace, Wix and Shopify have a field for it called custom code or footer scripts. It loads after the page and
            sets no cookies.
          </p>
          <p className="mt-3 flex flex-wrap items-center gap-3">
            <a className={buttonClass()} href={`/chat/${id}`} target="_blank" rel="noreferrer">
              <ExternalLink aria-hidden />
              Open the chat page
            </a>
            <span className="text-xs text-ink-3">
              {isActive
                ? 'What visitors see, in a new tab. Messages there are real conversations.'
                : 'Turn the chatbot on to see it there.'}
            </span>
          </p>
        </>
      ) : (
        <p className="text-ink-2">The script tag appears here once the settings are saved.</p>
      )}
    </Section>
  );
}
