import { Mark } from '../../ui/feedback/mark.tsx';

const STEPS = [
  ['We review your application', 'Our team confirms your plan, usually within one working day.'],
  ['You get an invitation', 'It has a link to set your password and open your workspace.'],
  ['Your first agent runs', 'Add a client, connect a service and request an agent. Once we approve it, it installs itself within minutes.'],
] as const;

/** The three steps after an application; the first is in progress once it is sent. */
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
