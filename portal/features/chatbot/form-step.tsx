import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import '../../ui/layout/panel.css';

type Props = {
  number: 1 | 2 | 3 | 4;
  title: string;
  /** What the fields of the step say now, in one line. */
  state: ReactNode;
  /** A name by which the page moves the focus to the first field. */
  part?: string;
  startsOpen: boolean;
  /** Refused attempts to save: a step with a refused field opens. */
  refusals: number;
  children: ReactNode;
};

/** A step of a chatbot's settings. Closed, it shows a summary of its fields in one line. */
export function FormStep({ number, title, state, part, startsOpen, refusals, children }: Props) {
  const step = useRef<HTMLDetailsElement>(null);
  // As it was when the page opened: a step is not closed while someone fills it in.
  const [isOpen] = useState(startsOpen);
  useEffect(() => {
    if (step.current?.querySelector('[aria-invalid="true"]')) step.current.open = true;
  }, [refusals]);
  return (
    <details ref={step} className="panel group" data-part={part} open={isOpen}>
      <summary className="flex min-h-14 cursor-pointer items-center gap-3 px-4 py-2.5">
        <span className="grid size-6 flex-none place-items-center rounded-full border border-control text-xs" aria-hidden>
          {number}
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="text-sm">{title}</h2>
          <p className="truncate text-ink-3">{state}</p>
        </div>
        <ChevronDown className="icon flex-none text-ink-3 group-open:rotate-180" aria-hidden />
      </summary>
      <div className="grid gap-5 border-t border-line-soft p-4">{children}</div>
    </details>
  );
}

/** Opens the step with this name and moves the focus to its first field. */
export function openStep(part: string): void {
  const step = document.querySelector<HTMLDetailsElement>(`details[data-part="${part}"]`);
  if (!step) return;
  step.open = true;
  step.querySelector<HTMLElement>(':is(input, textarea)')?.focus();
}
