import { isEmail } from '@partner-portal/core/template/value-forms.ts';

/** Form values of an application. Contains no secrets: the applicant sets a password later, through the invitation. */
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

/** Returns the errors by field. The service validates again. */
export function checkApplication(values: Application): Record<string, string> {
  const problems: { [field in keyof Application]?: string } = {};
  if (!values.fullName.trim()) problems.fullName = 'Enter your name.';
  if (!values.email.trim()) problems.email = 'Enter your e-mail address.';
  else if (!isEmail(values.email.trim())) problems.email = 'Enter a complete e-mail address, such as ana@example.com.';
  if (!values.companyName.trim()) problems.companyName = 'Enter the name of your agency.';
  if (values.website.trim() && !URL.canParse(webAddressOf(values.website))) problems.website = 'Enter a web address, such as example.com.';
  if (values.clients.trim() && !(Number(clientsOf(values.clients)) <= CLIENTS_MAX)) problems.clients = 'Enter a whole number, such as 12.';
  if (!values.acceptTerms) problems.acceptTerms = 'Accept the terms to continue.';
  return problems;
}

/** Returns the values of fields that are filled in, of a form whose inputs have their names. */
export function typedInto(form: FormData): Partial<Application> {
  const typed = [...form].flatMap(([name, value]) => {
    const initial = (EMPTY as Record<string, string | boolean>)[name];
    return initial === undefined || value === initial ? [] : [[name, typeof initial === 'boolean' ? true : value] as const];
  });
  return Object.fromEntries(typed) as Partial<Application>; // its own members, each with its type
}

/** Returns the request body without empty fields. */
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

/** Form fields of the service's fields, where the names differ. */
export const FIELD_NAMES = { expectedClients: 'clients' } as const;

/** Adds a scheme to "northwind.example". */
function webAddressOf(text: string): string {
  const plain = text.trim();
  return /^[a-z][a-z0-9+.-]*:/i.test(plain) ? plain : `https://${plain}`;
}

/** Parses a whole number such as "1,200"; NaN if invalid. */
function clientsOf(text: string): number {
  const plain = text.replaceAll(/[\s,.']/g, '');
  return /^\d+$/.test(plain) ? Number(plain) : Number.NaN;
}
