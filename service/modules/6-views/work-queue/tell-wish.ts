/** What an applicant or an agency asks for, as the statement reads it; `message` is cut to what a list can show. */
export type Wish = {
  kind: 'signup' | 'trial' | 'change' | 'custom';
  applicant: string;
  plan: string | null;
  clients: number | null;
  seats: number | null;
  credits: number | null;
  features: number;
  message: string | null;
};

const numbers = new Intl.NumberFormat('en-US');
const words = new Intl.ListFormat('en-GB');

/** One sentence and their own words: "Ada asks for the Growth plan, 120 clients and 50,000 credits a month. “We grow.”" */
export function tellWish(wish: Wish): string {
  const said = wish.message?.trim();
  return `${wish.applicant} asks for ${what(wish)}.${said ? ` “${said}”` : ''}`;
}

function what({ kind, plan, clients, seats, credits, features }: Wish): string {
  if (kind === 'trial') return 'a trial';
  const parts = [
    plan === null ? '' : `the ${plan} plan`,
    counted(clients, 'client'),
    counted(seats, 'seat'),
    credits === null ? '' : `${counted(credits, 'credit')} a month`,
    features > 0 ? counted(features, 'more feature') : '',
  ];
  return words.format(parts.filter(Boolean)) || (kind === 'signup' ? 'a plan' : 'other terms');
}

function counted(count: number | null, one: string): string {
  return count === null ? '' : `${numbers.format(count)} ${one}${count === 1 ? '' : 's'}`;
}
