/** Checks of an order before it is sent. */

export type OrderCheck = {
	/** Verdict: fine, doubtful, or refused. */
	readonly level: 'ok' | 'warn' | 'no';
	readonly text: string;
	/** The field that it is about. */
	readonly field?: string | undefined;
};

/** Words of the verdicts. */
export const levelWords: Readonly<Record<OrderCheck['level'], string>> = {
	ok: 'ok',
	warn: 'warn',
	no: 'NO',
};
