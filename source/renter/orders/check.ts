/** What is said of an order before it is sent. */

export type Check = {
	/** Whether it is well, to be thought about, or would be refused. */
	readonly level: 'ok' | 'warn' | 'no';
	readonly text: string;
	/** The field that it is about. */
	readonly field?: string | undefined;
};

/** How a check begins where it is written. */
export const levelWords: Readonly<Record<Check['level'], string>> = {
	ok: 'ok',
	warn: 'warn',
	no: 'NO',
};
