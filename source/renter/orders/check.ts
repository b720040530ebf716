export type OrderCheck = {
	/** Verdict: fine, doubtful, or refused. */
	readonly level: 'ok' | 'warn' | 'no';
	readonly text: string;
	readonly field?: string | undefined;
};

export const levelTexts: Readonly<Record<OrderCheck['level'], string>> = {
	ok: 'ok',
	warn: 'warn',
	no: 'NO',
};
