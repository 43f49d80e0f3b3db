import { counted } from './counted.ts';

/** Facts of an application or plan request; `message` is cut for the list. */
export type RequestFacts = {
  kind: 'signup' | 'trial' | 'change' | 'custom';
  applicant: string;
  plan: string | null;
  clients: number | null;
  seats: number | null;
  credits: number | null;
  features: number;
  message: string | null;
};

const list = new Intl.ListFormat('en-GB');

/** Returns one sentence and the applicant's message: "Ada asks for the Growth plan, 120 clients and 50,000 credits a month. “We grow.”" */
export function describeRequest(request: RequestFacts): string {
  const message = request.message?.trim();
  return `${request.applicant} asks for ${describeTerms(request)}.${message ? ` “${message}”` : ''}`;
}

function describeTerms({ kind, plan, clients, seats, credits, features }: RequestFacts): string {
  if (kind === 'trial') return 'a trial';
  const parts = [
    plan === null ? '' : `the ${plan} plan`,
    clients === null ? '' : counted(clients, 'client'),
    seats === null ? '' : counted(seats, 'seat'),
    credits === null ? '' : `${counted(credits, 'credit')} a month`,
    features > 0 ? counted(features, 'more feature') : '',
  ];
  return list.format(parts.filter(Boolean)) || (kind === 'signup' ? 'a plan' : 'other terms');
}
