/** Something worth a look from somebody who looks elsewhere. */
export type Event = {
	/** What it is about: "instance 7". */
	readonly about: string;
	/** What became of it: "stuck". Each is told at most once of each thing. */
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
