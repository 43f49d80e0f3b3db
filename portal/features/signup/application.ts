/** What an applicant has typed so far. Nothing secret is asked for here: the password is chosen behind the mailed link. */
export type Application = {
  fullName: string;
  email: string;
  companyName: string;
  website: string;
  clients: string;
  message: string;
  acceptTerms: boolean;
  newsletter: boolean;
};
type Field = keyof Application;
export type Problems = Partial<Record<Field, string>>;

export const EMPTY: Application = {
  fullName: '',
  email: '',
  companyName: '',
  website: '',
  clients: '',
  message: '',
  acceptTerms: false,
  newsletter: false,
};

const CLIENTS_MAX = 100_000;
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What stands in the way of sending it, by field. The service looks again. */
export function checkApplication(values: Application): Problems {
  const problems: Problems = {};
  if (!values.fullName.trim()) problems.fullName = 'Tell us your name.';
  if (!values.email.trim()) problems.email = 'We need an address to answer to.';
  else if (!ADDRESS.test(values.email.trim())) problems.email = 'This is no complete e-mail address.';
  if (!values.companyName.trim()) problems.companyName = 'Tell us the name of your agency.';
  if (values.website.trim() && !URL.canParse(webAddressOf(values.website))) problems.website = 'This is no web address.';
  if (values.clients.trim() && !(Number(clientsOf(values.clients)) <= CLIENTS_MAX)) problems.clients = 'A whole number, such as 12.';
  if (!values.acceptTerms) problems.acceptTerms = 'We need your yes to this.';
  return problems;
}

/** The request's body; what was left empty is left out. */
export function toBody(values: Application) {
  const message = values.message.trim();
  return {
    fullName: values.fullName.trim(),
    email: values.email.trim(),
    companyName: values.companyName.trim(),
    acceptTerms: true as const,
    newsletter: values.newsletter,
    ...(values.website.trim() ? { website: webAddressOf(values.website) } : {}),
    ...(values.clients.trim() ? { expectedClients: clientsOf(values.clients) } : {}),
    ...(message ? { message } : {}),
  };
}

/** The service's name for a field where it differs from the form's. */
export function fieldOf(name: string): string {
  return name === 'expectedClients' ? 'clients' : name;
}

/** People write "northwind.example"; the service wants the whole address. */
function webAddressOf(text: string): string {
  const plain = text.trim();
  return /^[a-z][a-z0-9+.-]*:/i.test(plain) ? plain : `https://${plain}`;
}

/** NaN for what is no whole number; "1,200" is one. */
function clientsOf(text: string): number {
  const plain = text.replaceAll(/[\s,.']/g, '');
  return /^\d+$/.test(plain) ? Number(plain) : Number.NaN;
}
