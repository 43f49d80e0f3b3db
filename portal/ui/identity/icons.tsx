import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import {
  CalendarClock,
  CalendarDays,
  CalendarSync,
  ChartLine,
  CodeXml,
  Cpu,
  Database,
  FileClock,
  Flame,
  Mail,
  Mailbox,
  MailPlus,
  MessageCircleQuestionMark,
  MessageSquareText,
  Phone,
  PhoneMissed,
  Send,
  Sparkles,
  Star,
  Table2,
  Webhook,
  Workflow,
} from 'lucide-react';
import type { ReactNode } from 'react';
import './icon-box.css';

const TEMPLATES: Record<string, ReactNode> = {
  'phone-missed': <PhoneMissed />,
  'calendar-clock': <CalendarClock />,
  'calendar-sync': <CalendarSync />,
  'chart-line': <ChartLine />,
  'file-clock': <FileClock />,
  flame: <Flame />,
  'mail-plus': <MailPlus />,
  mailbox: <Mailbox />,
  'message-circle-question-mark': <MessageCircleQuestionMark />,
  sparkles: <Sparkles />,
  star: <Star />,
  'table-2': <Table2 />,
};
const PROVIDER_ICONS: Record<Provider, ReactNode> = {
  twilio: <Phone />,
  openai: <Cpu />,
  anthropic: <Cpu />,
  calcom: <CalendarDays />,
  resend: <Mail />,
  postgres: <Database />,
  code: <CodeXml />,
};
const STEP_ICONS: Partial<Record<Provider, ReactNode>> = { ...PROVIDER_ICONS, twilio: <MessageSquareText /> };

export function TemplateIcon({ name }: { name: string }) {
  return (
    <span className="icon-box" aria-hidden>
      {TEMPLATES[name] ?? <Workflow />}
    </span>
  );
}

export function ProviderIcon({ provider }: { provider: Provider }) {
  return (
    <span className="icon-box" aria-hidden>
      {PROVIDER_ICONS[provider]}
    </span>
  );
}

/** Returns the icon of a step: that of its provider, or of its kind. */
export function stepIcon(step: { kind: string; provider: Provider | null } | 'trigger'): ReactNode {
  if (step === 'trigger') return <Webhook />;
  if (step.kind === 'report') return <Send />;
  return (step.provider && STEP_ICONS[step.provider]) ?? <CodeXml />;
}
