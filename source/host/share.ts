/** Which of an account's machines an agent works for, where several agents share the account. */
import type {WorkQuery} from '../client/nouns/hosts.ts';

/** Some machines, or all but some. */
export type Share = Pick<WorkQuery, 'machines' | 'except'>;
