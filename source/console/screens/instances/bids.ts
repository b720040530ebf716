/** Dollars an hour: what can be bid for an instance. The service holds bids to the same limits. */
export const LEAST_BID = 0.001;
export const MOST_BID = 128;
