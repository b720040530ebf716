/** Programs that run until they are ended, and parse their words themselves. */

export type Program = {readonly name: string; readonly summary: string};

export const programs: readonly Program[] = [
	{name: 'market', summary: 'run the marketplace service by itself'},
	{name: 'host', summary: 'offer this machine on a market'},
];
