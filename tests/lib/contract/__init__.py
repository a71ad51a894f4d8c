"""What the contract suite shares: one face for two servers, and ways to break the simulator."""
