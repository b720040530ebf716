/** Takes a line for whoever runs the market. */
export type Log = (line: string) => void;
