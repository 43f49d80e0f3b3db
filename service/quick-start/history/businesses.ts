import { DEMO } from '../seed-workspace.ts';

/** The six clients of the demo agency: what each is, how its days look, and which agents work for it. */

/** Average events of a day, from Monday to Sunday. */
export type Week = readonly [number, number, number, number, number, number, number];

export type AgentPlan = {
  template: 'missed-call-text-back' | 'review-request' | 'lead-intake-cleaner' | 'ai-faq-reply';
  events: Week;
  /** The agent of the quick start has no pause between two texts to one number, so that none of its texts is held back. */
  textsAgainAtOnce?: true;
  /** Settings of an agent that the history brings; absent for those of the quick start itself. */
  config?: Record<string, unknown>;
};

export type Business = {
  name: string;
  /** Absent for a client of the quick start itself. */
  client?: {
    contactName: string;
    contactEmail: string;
    phone: string;
    timezone: string;
    industry: string;
    businessProfile: Record<string, string>;
  };
  /** The number that customers call and that texts come from. */
  number: string;
  timezone: string;
  /** Local hours in which events come, from (included) to (excluded). */
  hours: readonly [number, number];
  /** Area codes of its customers; the rest of each number is one that is reserved for fiction. */
  areaCodes: readonly [string, ...string[]];
  services: readonly [string, ...string[]];
  questions: readonly [Question, ...Question[]];
  agents: readonly AgentPlan[];
  /** Change of its events over the whole time: 0.5 is half more at the end. */
  growth: number;
};

/** What customers text, and the answer; no answer where a person takes over. */
export type Question = { asked: string; answer: string | null };

const ANY_QUESTION: readonly [Question] = [{ asked: 'When are you open?', answer: null }];
const CHICAGO = DEMO.partner.timezone;

export const OAK_STREET = 'Oak Street Dental';
/** Its phone provider refused the sender number for two days, until the agency corrected it. */
export const TROUBLED = 'Riverside Auto Care';

export const BUSINESSES: readonly Business[] = [
  {
    name: OAK_STREET,
    number: DEMO.businessNumber,
    timezone: CHICAGO,
    hours: [8, 18],
    areaCodes: ['312', '773', '872'],
    services: ['Cleaning', 'Filling', 'Whitening', 'Check-up', 'Crown'],
    questions: ANY_QUESTION,
    agents: [
      { template: 'missed-call-text-back', events: [15, 13, 12, 13, 11, 3, 1], textsAgainAtOnce: true },
      { template: 'review-request', events: [7, 6, 7, 6, 5, 0, 0] },
    ],
    growth: 0.35,
  },
  {
    name: 'Lakeview Physio',
    number: '+17735550160',
    timezone: CHICAGO,
    hours: [7, 20],
    areaCodes: ['773', '312'],
    services: ['knee pain', 'back pain', 'a sports injury', 'a stiff shoulder'],
    questions: ANY_QUESTION,
    agents: [{ template: 'lead-intake-cleaner', events: [5, 4, 4, 4, 3, 2, 2] }],
    growth: 0.6,
  },
  {
    name: 'Bright Spark Electric',
    client: {
      contactName: 'Marcus Bell',
      contactEmail: 'office@brightspark.example',
      phone: '+12015550120',
      timezone: 'America/New_York',
      industry: 'Electrician',
      businessProfile: { hours: 'Mon–Sat 7:00–19:00', bookingUrl: 'https://brightspark.example/book', address: '88 Mill Road, Newark' },
    },
    number: '+12015550120',
    timezone: 'America/New_York',
    hours: [7, 20],
    areaCodes: ['201', '973', '862'],
    services: ['an outlet', 'a panel upgrade', 'a car charger', 'outdoor lights'],
    questions: ANY_QUESTION,
    agents: [
      { template: 'missed-call-text-back', events: [22, 20, 19, 18, 17, 9, 2], config: { quietHours: '' } },
      { template: 'lead-intake-cleaner', events: [4, 3, 4, 3, 3, 2, 1], config: {} },
    ],
    growth: 0.15,
  },
  {
    name: 'Hillcrest Animal Clinic',
    client: {
      contactName: 'Dana Whitfield',
      contactEmail: 'desk@hillcrest.example',
      phone: '+13035550110',
      timezone: 'America/Denver',
      industry: 'Veterinary practice',
      businessProfile: {
        hours: 'Mon–Fri 8:00–18:00, Sat 9:00–13:00',
        bookingUrl: 'https://hillcrest.example/visit',
        address: '240 Pine Avenue, Denver',
        faqText:
          'Open Monday to Friday from 8 to 18, on Saturday from 9 to 13.\nA check-up costs $65, a vaccination $40.\nEmergencies go to the night clinic at 9 Lake Road.',
      },
    },
    number: '+13035550110',
    timezone: 'America/Denver',
    hours: [8, 19],
    areaCodes: ['303', '720'],
    services: ['a check-up', 'a vaccination'],
    questions: [
      { asked: 'Are you open on Saturday?', answer: 'Yes, on Saturday we are open from 9 to 13.' },
      { asked: 'How much is a vaccination for a kitten?', answer: 'A vaccination costs $40.' },
      { asked: 'What does a check-up cost?', answer: 'A check-up costs $65.' },
      { asked: 'Where do I go at night?', answer: 'In an emergency at night, go to the night clinic at 9 Lake Road.' },
      { asked: 'How late can I bring my dog today?', answer: 'From Monday to Friday we are open until 18.' },
      { asked: 'Can you look at a parrot that pulls out its feathers?', answer: null },
      { asked: 'My cat got a new medicine and does not eat. Is that normal?', answer: null },
    ],
    agents: [
      { template: 'missed-call-text-back', events: [10, 9, 9, 9, 10, 5, 0], config: { quietHours: '' } },
      {
        template: 'ai-faq-reply',
        events: [8, 7, 6, 7, 7, 5, 1],
        config: { handoffEmail: 'desk@hillcrest.example', fromAddress: 'desk@hillcrest.example' },
      },
    ],
    growth: 0.25,
  },
  {
    name: TROUBLED,
    client: {
      contactName: 'Ray Novak',
      contactEmail: 'ray@riversideauto.example',
      phone: '+13135550140',
      timezone: 'America/Detroit',
      industry: 'Car repair',
      businessProfile: {
        hours: 'Mon–Fri 7:30–18:00',
        bookingUrl: 'https://riversideauto.example/book',
        reviewUrl: 'https://riversideauto.example/review',
        address: '5 River Street, Detroit',
      },
    },
    number: '+13135550140',
    timezone: 'America/Detroit',
    hours: [8, 18],
    areaCodes: ['313', '248'],
    services: ['Brakes', 'Oil change', 'Tires', 'Inspection'],
    questions: ANY_QUESTION,
    agents: [
      {
        template: 'review-request',
        events: [6, 7, 6, 6, 8, 0, 0],
        config: {
          quietHours: '',
          fromNumber: '+13135550140',
          ownerEmail: 'ray@riversideauto.example',
          fromAddress: 'desk@riversideauto.example',
        },
      },
    ],
    growth: 0.1,
  },
  {
    name: 'Casa Verde Landscaping',
    client: {
      contactName: 'Lucia Marin',
      contactEmail: 'hello@casaverde.example',
      phone: '+16025550130',
      timezone: 'America/Phoenix',
      industry: 'Landscaping',
      businessProfile: { hours: 'Mon–Fri 6:00–15:00', bookingUrl: 'https://casaverde.example/visit', address: '19 Palm Lane, Phoenix' },
    },
    number: '+16025550130',
    timezone: 'America/Phoenix',
    hours: [6, 20],
    areaCodes: ['602', '480'],
    services: ['a hedge', 'a new lawn', 'irrigation', 'a tree that has to go'],
    questions: ANY_QUESTION,
    agents: [{ template: 'lead-intake-cleaner', events: [2, 1.5, 1.5, 1, 1.5, 1, 0.5], config: {} }],
    growth: -0.2,
  },
];

export const FIRST_NAMES = [
  'Ana',
  'Ben',
  'Carla',
  'Dev',
  'Emma',
  'Felix',
  'Grace',
  'Hugo',
  'Ines',
  'Jack',
  'Kira',
  'Liam',
  'Maya',
  'Noah',
  'Olga',
  'Paul',
  'Quinn',
  'Rosa',
  'Sam',
  'Tara',
  'Umar',
  'Vera',
  'Will',
  'Yara',
  'Zoe',
] as const;
export const LAST_NAMES = [
  'Adams',
  'Baker',
  'Cruz',
  'Diaz',
  'Ellis',
  'Flores',
  'Grant',
  'Hughes',
  'Ivanov',
  'Jones',
  'Kim',
  'Lopez',
  'Moore',
  'Nguyen',
  'Ortiz',
  'Park',
  'Reed',
  'Shah',
  'Turner',
  'Usman',
  'Vogel',
  'Ward',
  'Young',
] as const;
