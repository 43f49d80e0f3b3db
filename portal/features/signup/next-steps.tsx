import { Mark } from '../../ui/feedback/mark.tsx';

const STEPS = [
  ['We read your application', 'A person looks at it and confirms the plan, usually within one working day.'],
  ['You get a link by mail', 'It opens your workspace. You choose your password there; nobody else ever sees it.'],
  ['Your first agent runs', 'Add a client, connect a service and send a test event: a few minutes.'],
] as const;

/** What happens after an application, in three steps; once it is sent, the first is under way. */
export function NextSteps({ isSent }: { isSent: boolean }) {
  return (
    <ol className="border-t border-line">
      {STEPS.map(([title, detail], at) => (
        <li key={title} className="flex gap-3.5 border-b border-line py-4">
          <Mark kind={isSent && at === 0 ? 'run' : 'wait'} className="mt-1" />
          <div>
            <p className="font-medium">
              {title}
              {isSent && at === 0 ? <span className="font-normal text-accent"> now</span> : null}
            </p>
            <p className="text-sm text-ink-2 text-pretty">{detail}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
