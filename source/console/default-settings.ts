/** What the user can set; `settings.ts` reads it from a file. */
export type Settings = {
	/** The disk that every price includes, in GB. */
	readonly diskGb: number;
	/** Whether rules and bars are drawn with line characters. */
	readonly glyphs: 'auto' | 'ascii' | 'unicode';
	/** Whether colours are used. */
	readonly colour: 'auto' | 'never';
};

/** What holds where the user's file says nothing. Apart from the file's schema, which takes time to load. */
export const defaultSettings: Settings = {diskGb: 40, glyphs: 'auto', colour: 'auto'};
