/** Something worth a look from somebody who looks elsewhere. */
export type Event = {
	/** Subject: "instance 7". */
	readonly about: string;
	/** New state: "stuck". Each is announced at most once per subject. */
	readonly state: string;
	/** One sentence. */
	readonly text: string;
};

export type Notify = {
	/** Tells an event that was not told before; false for one that was. */
	readonly tell: (event: Event) => boolean;
	/** Says how many things of a kind are in trouble at present, for the title of the terminal. */
	readonly setTrouble: (kind: string, count: number) => void;
};
