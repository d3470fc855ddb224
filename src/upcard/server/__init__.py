"""The table server: tables for people and bots, over plain HTTP."""
