import type {Alert, AlertKind} from './alerts/alert.ts';

/** Something worth a look from somebody who looks elsewhere. */
export type Event = {
	readonly kind: AlertKind;
	/** Subject: "instance 7". */
	readonly about: string;
	/** New state: "stuck". Each is announced at most once an hour per subject. */
	readonly state: string;
	/** Sentences on one line; the first says it. */
	readonly text: string;
	/** Subject to go to, where there is one. */
	readonly instance?: number | undefined;
	readonly offer?: number | undefined;
};

export type Notify = {
	/** Tells an event that was not told before; false for one that was. */
	readonly tell: (event: Event) => boolean;
	/** Tells an alert that other machines may tell, too. @param said at the foot */
	readonly alert: (alert: Alert, said: string) => boolean;
	/** Says how many things of a kind are in trouble at present, for the title of the terminal. */
	readonly setTrouble: (kind: string, count: number) => void;
};
